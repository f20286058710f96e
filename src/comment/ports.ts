/** A comment in a pull request's conversation. */
export interface PostedComment {
  readonly id: number;
  readonly body: string;
  /** Login of who wrote it; absent when the account was deleted. Applications end in `[bot]`. */
  readonly author: string | undefined;
}

/** What the host does for us on GitHub. Every method throws Failure (`environment`) with a code of GitHubFailureCode. */
export interface CommentService {
  /** All comments of the pull request, oldest first, whatever number of pages that takes. */
  list(pullRequest: number): Promise<readonly PostedComment[]>;
  create(pullRequest: number, body: string): Promise<PostedComment>;
  update(comment: number, body: string): Promise<PostedComment>;
  /** Login of the account that the token acts as. */
  self(): Promise<string>;
  /** The open pull request whose head is this commit, the oldest where there are several. */
  pullRequestOf(commit: string): Promise<number | undefined>;
}

/** Why GitHub did not do what we asked. The front end adds the remedy. */
export type GitHubFailureCode =
  | 'github-forbidden'
  | 'github-bad-credentials'
  | 'github-not-found'
  | 'github-rejected'
  | 'github-rate-limited'
  | 'github-unavailable';
